import { z } from 'zod'
import { type NavigationView, navigationView } from '../resources/navigation-view.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { navigation_views?: NavigationView[] }

export const navigationViewAdd = defineEvent('navigation_view/add', {
  doc: 'The receiver has added a view of its own, or has configured a built-in one for the first time.',
  fields: z.object({ navigation_view: navigationView }),
  apply(state: State, event) {
    state.navigation_views?.push(event.navigation_view)
  },
})

export const navigationViewUpdate = defineEvent('navigation_view/update', {
  doc: 'The receiver has changed a view.',
  fields: z.object({
    fragment: z.string(),
    data: navigationView.pick({ is_pinned: true, name: true }).partial().describe('The changed fields.'),
  }),
  apply(state: State, event) {
    const view = state.navigation_views?.find(one => one.fragment === event.fragment)
    if (view) Object.assign(view, event.data)
  },
})

export const navigationViewRemove = defineEvent('navigation_view/remove', {
  doc: 'The receiver has removed a view, or its configuration of a built-in one.',
  fields: z.object({ fragment: z.string() }),
  apply(state: State, event) {
    state.navigation_views = state.navigation_views?.filter(one => one.fragment !== event.fragment)
  },
})
