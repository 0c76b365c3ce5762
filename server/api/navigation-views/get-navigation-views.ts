import { z } from 'zod'
import { navigationView } from '../../../shared/resources/navigation-view.js'
import { anyAccount } from '../../policies/allow.js'
import { readNavigationViews } from '../../store/personal/navigation-views.js'
import { route } from '../route.js'

export const getNavigationViews = route({
  operation: 'get_navigation_views',
  method: 'GET',
  path: '/navigation_views',
  doc: 'Lists your custom views, and the built-in views that you have configured.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({ navigation_views: z.array(navigationView) }),
  errors: [],
  async handle({ ctx, actor }) {
    return { navigation_views: await readNavigationViews(ctx.sql, actor.user.id) }
  },
})
