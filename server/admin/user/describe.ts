import type { UserRow } from '../../store/users/users.js'
import { roleName } from '../leaf.js'
import type { Columns } from '../output.js'

/** An account in the output of commands. Omits the API key and the password. */
export function described(user: UserRow) {
  return {
    user_id: user.id,
    email: user.delivery_email,
    full_name: user.full_name,
    role: roleName(user.role),
    is_active: user.is_active,
    is_bot: user.is_bot,
    bot_owner_id: user.bot_owner_id,
    date_joined: user.date_joined.toISOString(),
    can_create_users: user.can_create_users,
    can_change_user_emails: user.can_change_user_emails,
    is_deleted: user.is_deleted,
  }
}

type Described = ReturnType<typeof described>

export const columns: Columns<Described> = {
  id: user => user.user_id,
  email: user => user.email,
  name: user => user.full_name,
  role: user => (user.is_bot ? `${user.role}, bot` : user.role),
  state: user => (user.is_deleted ? 'deleted' : user.is_active ? 'active' : 'deactivated'),
  joined: user => user.date_joined.slice(0, 10),
}
