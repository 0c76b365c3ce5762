import { z } from 'zod'
import { profileFieldLimits } from '../../../shared/resources/custom-profile-field.js'
import { budgets } from '../../config/budgets.js'
import { boolean, json, pathId, record, text } from '../../params/schemas.js'

/** What a custom profile field has beside its type, without defaults. */
export const fieldParams = {
  name: text()
    .meta({ maxLength: profileFieldLimits.name })
    .describe('Unique, whatever the letter case. Ignored for a built-in external account.'),
  hint: text().meta({ maxLength: profileFieldLimits.hint }).describe('A hint for users.'),
  field_data: json(record(z.unknown(), budgets.profileOptions.most)).describe(
    'Type 3: the options, from key to `text` and `order`, a number as text. Type 7: `subtype`, which is `custom`, and `url_pattern`, an ' +
      'address with `%(username)s`; or only `subtype`, a key of `realm_default_external_accounts`. Empty for the other types.',
  ),
  display_in_profile_summary: boolean().describe(
    'Whether the summary of a profile shows the field: at most two fields, of other types than 2 and 6.',
  ),
  required: boolean().describe('Whether clients ask users for a value.'),
  editable_by_user: boolean().describe('False: only administrators change the values.'),
}

export const fieldId = () => pathId().describe('The custom profile field.')
