"""The shape of what comes in from pages, with the names that views need. One file a part."""

from evaluation.forms.agreement import (
    ANCHORING_COLUMNS,
    GROUP_COLUMNS,
    PAIR_COLUMNS,
    AgreementForm,
    PairsForm,
    SeveralForm,
)
from evaluation.forms.calibration import CalibrationForm
from evaluation.forms.fields import SortField
from evaluation.forms.influence import InfluenceForm
from evaluation.forms.leaderboard import CHANGE_COLUMNS, SYSTEM_COLUMNS, TOPIC_COLUMNS, LeaderboardForm, SystemForm

__all__ = [
    "ANCHORING_COLUMNS",
    "CHANGE_COLUMNS",
    "GROUP_COLUMNS",
    "PAIR_COLUMNS",
    "SYSTEM_COLUMNS",
    "TOPIC_COLUMNS",
    "AgreementForm",
    "CalibrationForm",
    "InfluenceForm",
    "LeaderboardForm",
    "PairsForm",
    "SeveralForm",
    "SortField",
    "SystemForm",
]
