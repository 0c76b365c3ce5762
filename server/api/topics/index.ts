import type { Route } from '../route.js'
import { deleteTopic } from './delete-topic.js'
import { muteTopic } from './mute-topic.js'
import { updateUserTopic } from './update-user-topic.js'

export const topicsRoutes: readonly Route[] = [deleteTopic, updateUserTopic, muteTopic]
