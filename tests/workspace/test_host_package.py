"""The installed OpenClaw is found however it was installed, and never run."""

import pytest

from .homes import host, installed


def test_a_link_on_the_path_leads_to_the_package(tmp_path):
    package = installed(tmp_path)
    found = host(tmp_path)
    assert found.package == package.resolve()
    assert found.installed
    assert not (package / "ran").exists()


@pytest.mark.parametrize(
    "text",
    [
        '#!/bin/sh\nbasedir=$(dirname "$0")\nexec node "$basedir/../lib/node_modules/openclaw/openclaw.mjs" "$@"\n',
        '#!/bin/sh\nexec node {home}/lib/node_modules/openclaw/dist/x.js "$@"\n',
        "#!/bin/sh\nexec something else\n",
    ],
)
def test_a_wrapper_leads_there_too(tmp_path, text):
    """As pnpm and version managers write them; where it names nothing, npm's own folder is looked at."""
    package = installed(tmp_path)
    command = tmp_path / "bin/openclaw"
    command.unlink()
    command.write_text(text.replace("{home}", str(tmp_path)))
    command.chmod(0o755)
    assert host(tmp_path).package.samefile(package)


@pytest.mark.parametrize("manifest", ["{", "[]", '{"name": "other", "version": "2026.1.1"}', ""])
def test_a_command_of_that_name_that_is_something_else_is_not_taken_for_it(tmp_path, manifest):
    package = installed(tmp_path)
    (package / "package.json").write_text(manifest)
    assert host(tmp_path).package is None
    assert host(tmp_path).version is None
