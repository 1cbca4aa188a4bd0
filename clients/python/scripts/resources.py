"""Which operation of the API is which method: named by its operationId, where to get the thing itself is `retrieve`."""

from __future__ import annotations

Table = dict[str, dict[str, str]]

CALLS = ["callInJob", "createAndCall"]
OTHERS = [
    "createJob",
    "cancelJobs",
    "getJob",
    "listJobs",
    "updateJobMetadata",
    "changeJobBudget",
    "completeJob",
    "cancelJob",
    "deleteJobPayloads",
    "getJobCosts",
    "getJobTimeline",
    "listJobCalls",
    "getJobCall",
    "stopJobCall",
]
"""What the hand-written part of the client uses."""

STREAMS = ["streamCallInJob", "createAndStreamCall", "watchJobCall"]
"""They take what the calls take, and their answers are read by hand."""

LEFT_OUT = [
    "addCredits",
    "getCreditBalance",
    "listCreditTransactions",
    "listTeamJobs",
    "getJobHistogram",
    "getJobTotals",
    "getSetupStatus",
    "setUpOwner",
]
"""Other ways to do the same, and what only the console needs."""

TAGS = {
    "Jobs",
    "LLM calls",
    "Single-call jobs",
    "Webhooks",
    "Organizations",
    "Teams",
    "Credits",
    "Prices",
    "Usage",
    "Models",
    "Admin users",
}

WEBHOOKS = {
    "register": "registerWebhook",
    "list": "listWebhooks",
    "retrieve": "getWebhook",
    "update": "updateWebhook",
    "delete": "deleteWebhook",
    "test": "testWebhook",
    "list_deliveries": "listWebhookDeliveries",
    "retrieve_delivery": "getDelivery",
    "redeliver": "redeliverEvent",
    "redeliver_failed": "redeliverFailedEvents",
    "redeliver_matching": "redeliverEvents",
}

TEAM: Table = {
    "Team": {
        "retrieve": "getTeam",
        "get_credits": "getTeamCredits",
        "list_transactions": "listTeamCreditTransactions",
        "get_burn_rate": "getTeamBurnRate",
        "get_usage": "getTeamUsage",
        "get_statement": "getTeamStatement",
        "list_models": "listModelsOfTeam",
        "get_usage_series": "getUsageSeries",
        "get_errors": "getErrors",
        "list_failed_calls": "listFailedCalls",
        "list_prices": "listPricesOfTeam",
        "erase_user": "eraseUser",
    },
    "TeamWebhooks": WEBHOOKS,
}

MODEL_VERBS = ("create", "list", "retrieve", "update", "delete")


def models(singular: str) -> dict[str, str]:
    verbs = {"retrieve": "get"}
    plural = f"{singular}es" if singular.endswith("s") else f"{singular}s"
    return {verb: f"{verbs.get(verb, verb)}{plural if verb == 'list' else singular}" for verb in MODEL_VERBS}


ADMIN: Table = {
    "Organizations": {
        "create": "createOrganization",
        "list": "listOrganizations",
        "retrieve": "getOrganization",
        "update": "updateOrganization",
        "list_teams": "listOrganizationTeams",
        "get_usage": "getOrganizationUsage",
    },
    "Teams": {
        "create": "createTeam",
        "list": "listTeams",
        "retrieve": "getTeam",
        "update": "updateTeam",
        "replace_model_groups": "replaceTeamModelGroups",
        "suspend": "suspendTeam",
        "resume": "resumeTeam",
        "rotate_key": "rotateTeamKey",
        "reveal_key": "revealTeamKey",
        "end_previous_keys": "endPreviousKeys",
        "erase_user": "eraseUser",
        "get_usage": "getTeamUsage",
        "get_statement": "getTeamStatement",
        "list_models": "listModelsOfTeam",
    },
    "Keys": {
        "create": "createTeamKey",
        "list": "listTeamKeys",
        "update": "updateTeamKey",
        "delete": "deleteTeamKey",
    },
    "Credits": {
        "retrieve": "getTeamCredits",
        "allocate": "allocateCredits",
        "adjust": "adjustCredits",
        "refund": "refundCredits",
        "add": "addTeamCredits",
        "list_transactions": "listTeamCreditTransactions",
        "list_ledger": "listLedger",
        "check_ledger": "checkLedger",
        "get_burn_rate": "getTeamBurnRate",
        "get_conversion_rates": "getConversionRates",
        "update_conversion_rates": "updateConversionRates",
    },
    "Prices": {
        "list": "listPrices",
        "retrieve": "getPrice",
        "set": "setPrice",
        "delete": "deletePrice",
        "list_of_team": "listPricesOfTeam",
        "retrieve_of_team": "getPriceOfTeam",
        "set_of_team": "setPriceOfTeam",
        "delete_of_team": "deletePriceOfTeam",
    },
    "ModelGroups": {**models("ModelGroup"), "resolve": "resolveModelGroup", "of_upstream": "listUpstreamModels"},
    "ModelAliases": models("ModelAlias"),
    "ModelAccessGroups": models("ModelAccessGroup"),
    "Users": {
        "create": "createAdminUser",
        "list": "listAdminUsers",
        "update": "updateAdminUser",
        "delete": "deleteAdminUser",
        "change_password": "changePassword",
        "start_second_factor": "startSecondFactor",
        "confirm_second_factor": "confirmSecondFactor",
        "disable_second_factor": "disableSecondFactor",
        "reset_second_factor": "resetSecondFactor",
        "log_in": "logIn",
        "log_out": "logOut",
        "get_me": "getMe",
        "delete_own_account": "deleteOwnAccount",
        "invite": "inviteAdminUser",
        "list_invitations": "listInvitations",
        "renew_invitation": "renewInvitation",
        "withdraw_invitation": "withdrawInvitation",
        "list_own_sessions": "listOwnSessions",
        "end_own_session": "endOwnSession",
        "end_other_sessions": "endOtherSessions",
        "list_audit_entries": "listAuditEntries",
    },
    "Usage": {
        "get_overview": "getOverview",
        "get_series": "getUsageSeries",
        "get_margins": "getMargins",
        "get_model_health": "getModelHealth",
        "get_errors": "getErrors",
        "list_failed_calls": "listFailedCalls",
    },
    "AdminJobs": {
        "list": "listJobs",
        "retrieve": "getJob",
        "get_costs": "getJobCosts",
        "get_timeline": "getJobTimeline",
        "list_calls": "listJobCalls",
        "retrieve_call": "getJobCall",
        "stop_call": "stopJobCall",
        "cancel": "cancelJob",
        "cancel_many": "cancelJobs",
        "change_budget": "changeJobBudget",
        "delete_payloads": "deleteJobPayloads",
    },
    "Webhooks": {**WEBHOOKS, "list_all_deliveries": "listDeliveries"},
}
