import type { NavigationView } from '../resources/navigation-view.js'
import { defineEvent } from './event.js'

type State = { navigation_views?: NavigationView[] }

export const navigationViewAdd = defineEvent<{ readonly navigation_view: NavigationView }>('navigation_view/add', {
  doc: 'The receiver has added a view of its own, or has configured a built-in one for the first time.',
  apply(state: State, event) {
    state.navigation_views?.push(event.navigation_view as NavigationView)
  },
})

export interface NavigationViewUpdatePayload {
  readonly fragment: string
  /** The changed fields. */
  readonly data: Partial<Pick<NavigationView, 'is_pinned' | 'name'>>
}

export const navigationViewUpdate = defineEvent<NavigationViewUpdatePayload>('navigation_view/update', {
  doc: 'The receiver has changed a view.',
  apply(state: State, event) {
    const view = state.navigation_views?.find(one => one.fragment === event.fragment)
    if (view) Object.assign(view, event.data)
  },
})

export const navigationViewRemove = defineEvent<{ readonly fragment: string }>('navigation_view/remove', {
  doc: 'The receiver has removed a view, or its configuration of a built-in one.',
  apply(state: State, event) {
    state.navigation_views = state.navigation_views?.filter(one => one.fragment !== event.fragment)
  },
})
