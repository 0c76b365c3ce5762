import type { Route } from '../route.js'
import { getOwnUser } from './get-own-user.js'
import { getUser } from './get-user.js'
import { getUserByEmail } from './get-user-by-email.js'
import { getUsers } from './get-users.js'

export const usersRoutes: readonly Route[] = [getUsers, getOwnUser, getUser, getUserByEmail]
