import type { Route } from '../route.js'
import { createUserGroup } from './create-user-group.js'
import { deactivateUserGroup } from './deactivate-user-group.js'
import { getIsUserGroupMember } from './get-is-user-group-member.js'
import { getUserGroupMembers } from './get-user-group-members.js'
import { getUserGroupSubgroups } from './get-user-group-subgroups.js'
import { getUserGroups } from './get-user-groups.js'
import { updateUserGroup } from './update-user-group.js'
import { updateUserGroupMembers } from './update-user-group-members.js'
import { updateUserGroupSubgroups } from './update-user-group-subgroups.js'

export const groupsRoutes: readonly Route[] = [
  getUserGroups,
  createUserGroup,
  updateUserGroup,
  deactivateUserGroup,
  getUserGroupMembers,
  getIsUserGroupMember,
  updateUserGroupMembers,
  getUserGroupSubgroups,
  updateUserGroupSubgroups,
]
