from django.urls import path

from annotate.suggestions import api
from annotate.suggestions.views import batches, prompts

SUGGESTIONS = "c/<slug:slug>/suggestions/"
BATCH = SUGGESTIONS + "batches/<int:batch_id>/"
BACKSTORIES = "c/<slug:slug>/backstories/"
VARIANTS = "c/<slug:slug>/variants/"
PROGRAMS = "api/v1/collections/<slug:slug>/batches/"

urlpatterns = [
    path(SUGGESTIONS, prompts.suggestions, name="suggestions"),
    path(SUGGESTIONS + "own/", prompts.start_own_judge, name="start_own_judge"),
    path(SUGGESTIONS + "successors/", prompts.change_successors, name="change_successors"),
    path(SUGGESTIONS + "shown/", prompts.choose_model, name="choose_model"),
    path(SUGGESTIONS + "prompts/", prompts.write_prompt, name="write_prompt"),
    path(SUGGESTIONS + "ask/", batches.ask_model, name="ask_model"),
    path(SUGGESTIONS + "probe/", batches.probe, name="probe"),
    path(BACKSTORIES + "compare/", batches.compare_needs, name="compare_needs"),
    path(BACKSTORIES + "model/", batches.write_backstories, name="write_backstories"),
    path(VARIANTS + "model/", batches.write_variants, name="write_variants"),
    path(VARIANTS + "profiles/", prompts.profiles_page, name="profiles"),
    path(BATCH, batches.batch, name="batch"),
    path(BATCH + "cancel/", batches.cancel_batch, name="cancel_batch"),
    path(BATCH + "again/", batches.ask_again, name="ask_again"),
    path(BATCH + "read-again/", batches.read_again, name="read_again"),
    path(BATCH + "take-back/", batches.take_back_batch, name="take_back_batch"),
    path(PROGRAMS, api.list_batches, name="api_batches"),
    path(PROGRAMS + "estimate/", api.estimate_batch, name="api_estimate_batch"),
    path(PROGRAMS + "start/", api.start_batch, name="api_start_batch"),
    path(PROGRAMS + "<int:batch_id>/", api.show_batch, name="api_batch"),
    path(PROGRAMS + "<int:batch_id>/pause/", api.pause_batch, name="api_pause_batch"),
    path(PROGRAMS + "<int:batch_id>/resume/", api.resume_batch, name="api_resume_batch"),
    path(PROGRAMS + "<int:batch_id>/cancel/", api.cancel_batch, name="api_cancel_batch"),
]
