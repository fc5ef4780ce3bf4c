from django.urls import path

from annotate.views import (
    collections,
    exports,
    guidelines,
    imports,
    judging_settings,
    people,
    pool,
    suggestions,
    work_progress,
)

urlpatterns = [
    path("collections/new/", collections.new_collection, name="new_collection"),
    path("c/<slug:slug>/", collections.collection, name="collection"),
    path("c/<slug:slug>/imports/", imports.imports, name="imports"),
    path("c/<slug:slug>/imports/<int:file_id>/", imports.import_detail, name="import_detail"),
    path("c/<slug:slug>/imports/<int:file_id>/withdraw/", imports.withdraw_import, name="withdraw_import"),
    path("c/<slug:slug>/pool/", pool.pool, name="pool"),
    path("c/<slug:slug>/pool/holes/", pool.draw_holes, name="draw_holes"),
    path("c/<slug:slug>/pool/holes/undo/", pool.undo_draw, name="undo_draw"),
    path("c/<slug:slug>/suggestions/", suggestions.suggestions, name="suggestions"),
    path("c/<slug:slug>/suggestions/learned/", suggestions.start_learned, name="start_learned"),
    path("c/<slug:slug>/suggestions/shown/", suggestions.choose_model, name="choose_model"),
    path("c/<slug:slug>/judging/", judging_settings.judging_settings, name="judging_settings"),
    path("c/<slug:slug>/judging/progress/", judging_settings.judging_progress, name="judging_progress"),
    path("c/<slug:slug>/guidelines/", guidelines.guidelines, name="guidelines"),
    path("c/<slug:slug>/people/", people.people, name="people"),
    path("c/<slug:slug>/people/<int:member_id>/deactivate/", people.deactivate_member, name="deactivate_member"),
    path("c/<slug:slug>/people/<int:member_id>/password/", people.reset_password, name="reset_password"),
    path("c/<slug:slug>/exports/", exports.exports, name="exports"),
    path("c/<slug:slug>/exports/<int:number>/<str:name>", exports.export_file, name="export_file"),
    path("c/<slug:slug>/work/<int:work_id>/", work_progress.work_progress, name="work_progress"),
    path("c/<slug:slug>/work/<int:work_id>/stop/", work_progress.stop_work, name="stop_work"),
    path("c/<slug:slug>/work/<int:work_id>/resume/", work_progress.resume_work, name="resume_work"),
]
