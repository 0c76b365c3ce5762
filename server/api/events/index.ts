import type { Route } from '../route.js'
import { deleteQueue } from './delete-queue.js'
import { getEvents } from './get-events.js'
import { register } from './register.js'

export const eventsRoutes: readonly Route[] = [register, getEvents, deleteQueue]
