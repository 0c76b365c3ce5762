import type { SlackMethod } from '../method.js'
import { authTest } from './auth.js'
import { chatMethods } from './chat.js'

/** All methods by their names. */
export const methods: ReadonlyMap<string, SlackMethod> = new Map(
  [authTest, ...chatMethods].map(method => [method.name, method]),
)
