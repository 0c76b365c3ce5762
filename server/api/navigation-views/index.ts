import type { Route } from '../route.js'
import { addNavigationView } from './add-navigation-view.js'
import { getNavigationViews } from './get-navigation-views.js'
import { removeNavigationView } from './remove-navigation-view.js'
import { updateNavigationView } from './update-navigation-view.js'

export const navigationViewsRoutes: readonly Route[] = [
  getNavigationViews,
  addNavigationView,
  updateNavigationView,
  removeNavigationView,
]
