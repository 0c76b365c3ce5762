import { z } from 'zod'
import { editView } from '../../actions/navigation-views/change-views.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { fragment, isPinned, onlyCustomNames, viewName } from './params.js'

export const updateNavigationView = route({
  operation: 'update_navigation_view',
  method: 'PATCH',
  path: '/navigation_views/{fragment*}',
  doc: 'Pins, unpins or renames one of your views; built-in views keep their names.',
  allow: anyAccount,
  params: z.object({ fragment, is_pinned: isPinned.optional(), name: viewName }),
  requires: [onlyCustomNames],
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'NOT_FOUND'],
  async handle({ ctx, actor, params: { fragment, ...change } }) {
    await editView(ctx, actor, fragment, change)
    return {}
  },
})
