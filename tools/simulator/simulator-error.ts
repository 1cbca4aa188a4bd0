type Details = {
  type?: string | null;
  param?: string | null;
  headers?: Record<string, string>;
  /** LiteLLM repeats some of its own refusals in a field that is meant for the provider's words. */
  providerFields?: Record<string, unknown>;
};

/** An error in the form that a LiteLLM proxy gives nearly all of its own. `code` is the status, as a string. */
export class SimulatorError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  private readonly details: Details;

  constructor(status: number, message: string, details: Details = {}) {
    super(message);
    this.status = status;
    this.headers = details.headers ?? {};
    this.details = details;
  }

  get body(): unknown {
    const { type = null, param = null, providerFields } = this.details;
    return {
      error: {
        message: this.message,
        type,
        param,
        code: String(this.status),
        ...(providerFields ? { provider_specific_fields: providerFields } : {}),
      },
    };
  }
}

/**
 * The other form: FastAPI's own, for errors that a handler raised outside LiteLLM's error handling, and for bodies that do not
 * validate.
 */
export class DetailError extends SimulatorError {
  private readonly detail: unknown;

  constructor(status: number, detail: unknown) {
    super(status, JSON.stringify(detail));
    this.detail = detail;
  }

  override get body(): unknown {
    return { detail: this.detail };
  }
}
