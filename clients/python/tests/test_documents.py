"""The README and the examples, as they are."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import BASE_URL, ORGANIZATION, Team

from job_gateway import JobGatewayAdmin, NotFoundError

PROJECT = Path(__file__).parent.parent
EXAMPLES = sorted((PROJECT / "examples").glob("*.py"))
SMART = "smart"


def blocks() -> str:
    """The Python of the README, in its order, without the block that shows every argument of the client."""
    found = re.findall(r"```python\n(.*?)```", (PROJECT / "README.md").read_text(), re.DOTALL)
    return "\n".join(block for block in found if "gateway.example.com" not in block)


@pytest.fixture
def smart(admin: JobGatewayAdmin, given_team: Callable[..., Team]) -> Team:
    """A team that may use the model group of the documents."""
    try:
        admin.model_groups.retrieve(SMART)
    except NotFoundError:
        admin.model_groups.create(group_name=SMART, models=[{"model_name": "sim-ok"}])
    team = given_team()
    admin.teams.replace_model_groups(team.team_id, model_groups=[SMART])
    return team


def run(team: Team, *command: str) -> str:
    environment = {**os.environ, "JOB_GATEWAY_API_KEY": team.key, "JOB_GATEWAY_TEAM_ID": team.team_id}
    done = subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_readme_runs_as_one_program(smart: Team, tmp_path: Path) -> None:
    names = {"acme-reports": f"{smart.team_id}-more", "acme": f"{ORGANIZATION}-more", "fast": f"{smart.model}-more"}
    source = blocks()
    for name, other in names.items():
        source = source.replace(f'"{name}"', f'"{other}"')
    program = tmp_path / "readme.py"
    program.write_text(source)

    output = run(smart, str(program))

    assert "404 job_not_found" in output and "get_weather" in output and "sk-" in output
    jobs = {job.job_type: job.status for job in smart.admin.jobs.list(team_id=smart.team_id)}
    completed = ["quarterly_report", "summary", "title", "weather", "story", "report", "chapters"]
    assert jobs == {**dict.fromkeys(completed, "completed"), "invoice": "cancelled"}
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(program)], cwd=tmp_path, capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout


def test_the_block_with_all_arguments_of_the_client_is_right() -> None:
    block = re.search(r"```python\n(gateway = JobGateway\(\n.*?)```", (PROJECT / "README.md").read_text(), re.DOTALL)
    assert block

    exec("from job_gateway import JobGateway\n" + block.group(1))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example.stem))
def test_an_example_runs(smart: Team, example: Path) -> None:
    output = run(smart, str(example))

    assert BASE_URL and output
    statuses = {job.status for job in smart.admin.jobs.list(team_id=smart.team_id)}
    assert statuses <= {"completed"}
