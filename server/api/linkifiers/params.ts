import { budgets } from '../../config/budgets.js'
import { json, list, text } from '../../params/schemas.js'
import { mostLinkifierCharacters } from '../../text/check-linkifier.js'

// `linkifierProblems` checks the lengths, and names the field.
const linkifierText = () => text(budgets.linkifierCharacters.most).meta({ maxLength: mostLinkifierCharacters })
const filledText = () => linkifierText().meta({ minLength: 1 })

/** The value as stored: the empty text and these words become null. */
const resettable = (...words: string[]) =>
  linkifierText()
    .nullable()
    .transform(value => (value === null || value === '' || words.includes(value) ? null : value))
    .optional()

/** Parameters of adding and changing a linkifier, in the order in which the server checks them. */
export const linkifierParams = {
  pattern: filledText().describe('Regular expression in the syntax of RE2, with named groups.'),
  url_template: filledText().describe('RFC 6570 template of the address. Its variables are the groups of the pattern.'),
  example_input: resettable().describe('Text that the pattern matches; empty: none.'),
  // Text or null; clients that JSON-encode all but text send null as this word (docs/protocol/conventions.md#types).
  reverse_template: resettable('null').describe(
    'Makes what the pattern matches from the variables of an address: `{variable}`, and `{{` and `}}` for braces. It must ' +
      'make the example again. Empty: none.',
  ),
  alternative_url_templates: json(list(filledText(), budgets.alternativeTemplates.most))
    .optional()
    .describe(
      'Further templates of addresses that clients may turn into text; the server does not render messages with them.',
    ),
}
