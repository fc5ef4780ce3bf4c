import stat

import pytest

from annotate.management import sample
from annotate.models import User

pytestmark = pytest.mark.django_db


@pytest.mark.postgresql
def test_only_their_owner_reads_the_demo_logins(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    sample._people()
    path = sample.logins_path()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for line in path.read_text().splitlines():
        name, password = line.split()
        assert User.objects.get(username=name).check_password(password)
