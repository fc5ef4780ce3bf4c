"""Rows and their constraints, one noun a file."""

from annotate.models.adjudication import Adjudication
from annotate.models.backstory import Backstory
from annotate.models.backstory_flag import BackstoryFlag
from annotate.models.batch import Batch
from annotate.models.claim import Claim
from annotate.models.collection import Collection
from annotate.models.export import Export
from annotate.models.generation import Generation
from annotate.models.guidelines import Guidelines
from annotate.models.hole_draw import HoleDraw
from annotate.models.imported_file import ImportedFile
from annotate.models.invitation import Invitation
from annotate.models.judgment import Judgment
from annotate.models.membership import Membership
from annotate.models.pair import Pair
from annotate.models.pair_draw import PairDraw
from annotate.models.passage import Passage
from annotate.models.probe_answer import ProbeAnswer
from annotate.models.profile import Profile
from annotate.models.prompt import Prompt
from annotate.models.query_variant import QueryVariant
from annotate.models.rater import Rater
from annotate.models.reference_grade import ReferenceGrade
from annotate.models.run import Run
from annotate.models.service_batch import ServiceBatch
from annotate.models.suggestion import Suggestion
from annotate.models.topic import Topic
from annotate.models.user import User
from annotate.models.variant_check import VariantCheck
from annotate.models.work import Work
from annotate.models.worker import Worker

__all__ = [
    "Adjudication",
    "Backstory",
    "BackstoryFlag",
    "Batch",
    "Claim",
    "Collection",
    "Export",
    "Generation",
    "Guidelines",
    "HoleDraw",
    "ImportedFile",
    "Invitation",
    "Judgment",
    "Membership",
    "Pair",
    "PairDraw",
    "Passage",
    "ProbeAnswer",
    "Profile",
    "Prompt",
    "QueryVariant",
    "Rater",
    "ReferenceGrade",
    "Run",
    "ServiceBatch",
    "Suggestion",
    "Topic",
    "User",
    "VariantCheck",
    "Work",
    "Worker",
]
