from django.urls import path

from annotate.backstories import views as backstories_views
from annotate.collections import views as collections_views
from annotate.exports import views as exports_views
from annotate.home import views as home_views
from annotate.imports import views as imports_views
from annotate.judging.views import settings
from annotate.pool import views as pool_views
from annotate.probes import views as probes_views
from annotate.suggestions.views import requests, suggestions
from annotate.variants import views as variants_views
from annotate.web import views as web_views
from annotate.writing.views import batches, prompts

urlpatterns = [
    path("collections/new/", home_views.new_collection, name="new_collection"),
    path("c/<slug:slug>/", home_views.collection, name="collection"),
    path("c/<slug:slug>/imports/", imports_views.imports, name="imports"),
    path("c/<slug:slug>/imports/<int:file_id>/", imports_views.import_detail, name="import_detail"),
    path("c/<slug:slug>/imports/<int:file_id>/withdraw/", imports_views.withdraw_import, name="withdraw_import"),
    path("c/<slug:slug>/imports/<int:file_id>/families/", imports_views.change_families, name="change_families"),
    path("c/<slug:slug>/pool/", pool_views.pool, name="pool"),
    path("c/<slug:slug>/pool/holes/", pool_views.draw_holes, name="draw_holes"),
    path("c/<slug:slug>/pool/holes/undo/", pool_views.undo_draw, name="undo_draw"),
    path("c/<slug:slug>/pool/retrieval/", pool_views.retrieve, name="retrieve"),
    path("c/<slug:slug>/suggestions/", suggestions.suggestions, name="suggestions"),
    path("c/<slug:slug>/suggestions/own/", suggestions.start_own_judge, name="start_own_judge"),
    path("c/<slug:slug>/suggestions/successors/", suggestions.change_successors, name="change_successors"),
    path("c/<slug:slug>/suggestions/shown/", suggestions.choose_model, name="choose_model"),
    path("c/<slug:slug>/suggestions/ask/", requests.ask_model, name="ask_model"),
    path("c/<slug:slug>/suggestions/probe/", probes_views.probe, name="probe"),
    path("c/<slug:slug>/suggestions/prompts/", prompts.write_prompt, name="write_prompt"),
    path("c/<slug:slug>/suggestions/batches/<int:batch_id>/", batches.batch, name="batch"),
    path("c/<slug:slug>/suggestions/batches/<int:batch_id>/cancel/", batches.cancel_batch, name="cancel_batch"),
    path("c/<slug:slug>/suggestions/batches/<int:batch_id>/again/", batches.ask_again, name="ask_again"),
    path("c/<slug:slug>/judging/", settings.judging_settings, name="judging_settings"),
    path("c/<slug:slug>/judging/progress/", settings.judging_progress, name="judging_progress"),
    path("c/<slug:slug>/judging/pause/", settings.pause_judging, name="pause_judging"),
    path("c/<slug:slug>/backstories/", backstories_views.backstories, name="backstories"),
    path(
        "c/<slug:slug>/backstories/<int:backstory_id>/approve/",
        backstories_views.approve_backstory,
        name="approve_backstory",
    ),
    path("c/<slug:slug>/backstories/<int:topic_id>/write/", backstories_views.write_backstory, name="write_backstory"),
    path("c/<slug:slug>/guidelines/", collections_views.guidelines, name="guidelines"),
    path("c/<slug:slug>/guidelines/scale/", collections_views.change_scale, name="change_scale"),
    path("c/<slug:slug>/people/", collections_views.people, name="people"),
    path("c/<slug:slug>/people/invite/", collections_views.invite, name="invite"),
    path(
        "c/<slug:slug>/people/invite/<int:invitation_id>/end/", collections_views.end_invitation, name="end_invitation"
    ),
    path(
        "c/<slug:slug>/people/<int:member_id>/deactivate/",
        collections_views.deactivate_member,
        name="deactivate_member",
    ),
    path("c/<slug:slug>/people/<int:member_id>/password/", collections_views.reset_password, name="reset_password"),
    path("c/<slug:slug>/exports/", exports_views.exports, name="exports"),
    path("c/<slug:slug>/exports/variants/<str:name>", variants_views.variant_file, name="variant_file"),
    path("c/<slug:slug>/exports/<int:number>/<str:name>", exports_views.export_file, name="export_file"),
    path("c/<slug:slug>/work/<int:work_id>/", web_views.work_progress, name="work_progress"),
    path("c/<slug:slug>/work/<int:work_id>/stop/", web_views.stop_work, name="stop_work"),
    path("c/<slug:slug>/work/<int:work_id>/resume/", web_views.resume_work, name="resume_work"),
]
