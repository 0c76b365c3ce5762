import type { Route } from '../route.js'
import { createEventSubscription } from './create-event-subscription.js'
import { deleteEventSubscription } from './delete-event-subscription.js'
import { getEventSubscriptions } from './get-event-subscriptions.js'
import { updateEventSubscription } from './update-event-subscription.js'

export const eventSubscriptionsRoutes: readonly Route[] = [
  getEventSubscriptions,
  createEventSubscription,
  updateEventSubscription,
  deleteEventSubscription,
]
