import { z } from 'zod'
import { removeView } from '../../actions/navigation-views/change-views.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { fragment } from './params.js'

export const removeNavigationView = route({
  operation: 'remove_navigation_view',
  method: 'DELETE',
  path: '/navigation_views/{fragment*}',
  doc: 'Removes one of your custom views, or your configuration of a built-in one.',
  allow: anyAccount,
  params: z.object({ fragment }),
  returns: z.object({}),
  errors: ['NOT_FOUND'],
  async handle({ ctx, actor, params: { fragment } }) {
    await removeView(ctx, actor, fragment)
    return {}
  },
})
