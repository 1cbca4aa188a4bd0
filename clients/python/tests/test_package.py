"""The package: what is generated is up to date, and what is published works where it is installed."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
SOURCE = PROJECT / "src" / "job_gateway"
TESTS = Path(__file__).parent


def run(*command: str, cwd: Path = PROJECT, status: int = 0) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=500)
    assert done.returncode == status, f"{' '.join(command)}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("archives")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder))
    return {"wheel": next(folder.glob("*.whl")), "sdist": next(folder.glob("*.tar.gz"))}


def test_what_is_generated_is_up_to_date(tmp_path: Path) -> None:
    document = os.environ.get("TEST_OPENAPI")
    if not document:
        pytest.skip("needs TEST_OPENAPI")

    run(sys.executable, "scripts/generate.py", document, str(tmp_path))

    stale = [
        str(file.relative_to(tmp_path))
        for file in tmp_path.rglob("*.py")
        if file.read_text() != (SOURCE / file.relative_to(tmp_path)).read_text()
    ]
    assert stale == [], "npm run python-client"


def test_the_code_is_typed_and_formatted() -> None:
    run(sys.executable, "-m", "mypy", "--strict", "src/job_gateway", "scripts")
    run(sys.executable, "-m", "ruff", "check")
    run(sys.executable, "-m", "ruff", "format", "--check")


def test_the_archives_have_what_is_needed(archives: dict[str, Path]) -> None:
    wheel = set(zipfile.ZipFile(archives["wheel"]).namelist())
    with tarfile.open(archives["sdist"]) as sdist:
        names = {name.split("/", 1)[1] for name in sdist.getnames() if "/" in name}

    assert {"job_gateway/__init__.py", "job_gateway/py.typed", "job_gateway/_sync/client.py"} <= wheel
    assert {"README.md", "pyproject.toml", "src/job_gateway/py.typed", "examples/report.py"} <= names
    assert not any(name.startswith("tests/") for name in wheel | names)


def test_the_wheel_works_and_is_typed_in_an_empty_environment(archives: dict[str, Path], tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", str(tmp_path / "venv"))
    python = str(tmp_path / "venv" / "bin" / "python")
    run(python, "-m", "pip", "install", "--quiet", str(archives["wheel"]))

    run(python, "-c", "import job_gateway; job_gateway.JobGateway(base_url='http://x', api_key='k')", cwd=tmp_path)
    check = [sys.executable, "-m", "mypy", "--strict", "--python-executable", python]
    run(*check, str(TESTS / "surface.py"), cwd=tmp_path)
    found = run(*check, str(TESTS / "surface_wrong.py"), cwd=tmp_path, status=1)

    lines = (TESTS / "surface_wrong.py").read_text().splitlines()
    wanted = {number for number, line in enumerate(lines, 1) if line.endswith("# error")}
    assert {int(line.split(":")[1]) for line in found.splitlines() if ": error:" in line} == wanted
