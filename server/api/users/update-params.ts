import { z } from 'zod'
import { limits } from '../../../shared/limits.js'
import { role } from '../../../shared/resources/user.js'
import { budgets } from '../../config/budgets.js'
import { idList, idNumber, json, list, text } from '../../params/schemas.js'
import { accountEmail } from './account-params.js'

/** A value of a custom profile field. */
export const profileValue = z.object({
  id: idNumber,
  value: z.union([text(budgets.profileCharacters.most), idList(budgets.profileUsers.most)]).nullable(),
})

/** The fields of a user that a request may change, by id or by email. */
export const updateParams = {
  full_name: text()
    .meta({ maxLength: limits.user_full_name_length })
    .optional()
    .describe('New name. A blank name has no effect.'),
  role: json(role)
    .optional()
    .describe(
      '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. Only owners may add and remove owners.',
    ),
  profile_data: json(list(profileValue, budgets.profileFields.most))
    .optional()
    .describe('Values of custom profile fields by the id of the field; null, "" and [] delete a value.'),
  new_email: accountEmail()
    .optional()
    .describe('New real address. For owners with the right can_change_user_emails, which the operator grants.'),
}
