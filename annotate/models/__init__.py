"""Rows and their constraints, one noun a file."""

from annotate.models.batches import Answer, Batch, Generation, GradedAnswer, ProbeAnswer, ServiceBatch, Suggestion
from annotate.models.collections import Collection, Guidelines
from annotate.models.files import Export, ImportedFile, Run, Work, Worker
from annotate.models.judgments import Adjudication, Claim, Judgment
from annotate.models.pairs import HoleDraw, Pair, PairDraw
from annotate.models.people import Invitation, Membership, User
from annotate.models.raters import Rater, ReferenceGrade, required
from annotate.models.texts import Backstory, BackstoryFlag, Passage, Profile, Prompt, QueryVariant, Topic, VariantCheck

__all__ = [
    "Adjudication",
    "Answer",
    "Backstory",
    "BackstoryFlag",
    "Batch",
    "Claim",
    "Collection",
    "Export",
    "Generation",
    "GradedAnswer",
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
    "required",
]
