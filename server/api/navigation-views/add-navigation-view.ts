import { z } from 'zod'
import { builtInFragments } from '../../../shared/resources/navigation-view.js'
import { addView } from '../../actions/navigation-views/change-views.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { fragment, isPinned, onlyCustomNames, viewName } from './params.js'

export const addNavigationView = route({
  operation: 'add_navigation_view',
  method: 'POST',
  path: '/navigation_views',
  doc: 'Creates a custom view, which needs a name, or configures a built-in view, which takes none; at most a thousand per user.',
  allow: anyAccount,
  params: z.object({ fragment, is_pinned: isPinned, name: viewName }),
  requires: [
    { unless: { fragment: [...builtInFragments] }, anyOf: ['name'], refusal: 'Custom views must have a name.' },
    onlyCustomNames,
  ],
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  creates: true,
  async handle({ creating, actor, params }) {
    return creating(
      ctx => addView(ctx, actor, params),
      () => ({}),
    )
  },
})
