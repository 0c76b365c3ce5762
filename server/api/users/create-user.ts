import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { createUser as create } from '../../actions/users/create.js'
import { requireStrongPassword } from '../../auth/password-strength.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Directory } from '../../memory/directory.js'
import { administrators } from '../../policies/allow.js'
import { requireAllowedAddress } from '../../policies/joining.js'
import { member } from '../../policies/roles.js'
import { route } from '../route.js'
import { accountEmail, fullName, newPassword } from './account-params.js'

export const createUser = route({
  operation: 'create_user',
  method: 'POST',
  path: '/users',
  doc: 'Creates an account for a person. For administrators with the right can_create_users, which the operator grants.',
  allow: administrators,
  params: z.object({
    email: accountEmail().describe('Real address of the person.'),
    password: newPassword().describe('The first password; hard to guess.'),
    full_name: fullName().describe('The displayed name.'),
  }),
  returns: z.object({ user_id: z.int() }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  creates: true,
  async handle({ ctx, creating, actor, params: { email, password, full_name } }) {
    const requireRight = (directory: Directory) => {
      const caller = currentUser(directory, actor.user)
      administrators({ ...actor, user: caller })
      if (!caller.is_active || !caller.can_create_users) throw badRequest('User not authorized to create users')
      requireAllowedAddress(directory, email)
    }
    await ctx.directory.fresh()
    requireRight(ctx.directory)
    await requireStrongPassword(password, [email, full_name])
    const draft = { email, fullName: full_name, role: member, password }
    return creating(
      creatingCtx => create(creatingCtx, draft, requireRight),
      ({ id }) => ({ user_id: id }),
    )
  },
})
