import { authRoutes } from './auth/index.js'
import { channelsRoutes } from './channels/index.js'
import { eventsRoutes } from './events/index.js'
import { messagesRoutes } from './messages/index.js'
import { presenceRoutes } from './presence/index.js'
import type { Route } from './route.js'
import { settingsRoutes } from './settings/index.js'
import { usersRoutes } from './users/index.js'

/** Every operation of the API. An area lists its own. */
export const routes: readonly Route[] = [
  ...authRoutes,
  ...channelsRoutes,
  ...eventsRoutes,
  ...messagesRoutes,
  ...presenceRoutes,
  ...settingsRoutes,
  ...usersRoutes,
]
