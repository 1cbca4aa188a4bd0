"""A receiver of webhooks, without a framework. It ends after one event: it is an example."""

import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from job_gateway import JobGateway, WebhookVerificationError, verify_webhook

gateway = JobGateway()
secrets: list[str] = []


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = verify_webhook(body, self.headers, secrets)
        except WebhookVerificationError as error:
            self.send_error(400, str(error))
            return
        self.send_response(200)
        self.end_headers()
        if event.event == "job.completed":
            print(f"{event.job_id} cost {event.data.total_cost_usd} USD")
        else:
            print(f"received {event.event}")

    def log_message(self, *_: object) -> None:
        pass


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Receiver)
url = f"http://127.0.0.1:{server.server_address[1]}/"
webhook = gateway.webhooks.register(webhook_url=url, events=["job.completed"])
secrets.append(webhook.secret)

gateway.webhooks.test(webhook.webhook_id)
server.handle_request()
gateway.webhooks.delete(webhook.webhook_id)
