"""The addresses of what models are asked to write, of prompts, and of batches of any purpose."""

from django.urls import path

from annotate.writing.views import batches, profiles, prompts, writing

BATCH = "c/<slug:slug>/suggestions/batches/<int:batch_id>/"
VARIANTS = "c/<slug:slug>/variants/"

urlpatterns = [
    path("c/<slug:slug>/suggestions/prompts/", prompts.write_prompt, name="write_prompt"),
    path(BATCH, batches.batch, name="batch"),
    path(BATCH + "cancel/", batches.cancel_batch, name="cancel_batch"),
    path(BATCH + "again/", batches.ask_again, name="ask_again"),
    path(BATCH + "take-back/", writing.take_back_batch, name="take_back_batch"),
    path("c/<slug:slug>/backstories/model/", writing.write_backstories, name="write_backstories"),
    path(VARIANTS + "model/", writing.write_variants, name="write_variants"),
    path(VARIANTS + "profiles/", profiles.profiles_page, name="profiles"),
]
