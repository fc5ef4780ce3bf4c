"""What every page and API needs: access, middleware, errors, paging, progress of background work."""
