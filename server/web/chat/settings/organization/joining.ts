import { listOf } from '../list-part.js'
import { rowsOf } from '../rows.js'
import type { Section } from '../section.js'
import { FactorRequirement } from './factor-requirement.js'
import { domains } from './lists.js'
import { SignInMethods } from './server-facts.js'
import { WelcomeTest } from './welcome-test.js'

const { toggle, markdown } = rowsOf('organization')
const longestWelcome = 8000

/** Who comes in, how people sign in, and how new ones are greeted. */
export const joining: Section = {
  id: 'joining',
  icon: 'globe',
  parts: [
    { title: 'parts.signIn', shows: SignInMethods },
    { shows: FactorRequirement, names: ['second_factors'] },
    { title: 'parts.invitations', rows: [toggle('invite_required')] },
    {
      title: 'parts.domains',
      shows: listOf(domains),
      rows: [toggle('emails_restricted_to_domains'), toggle('disallow_disposable_email_addresses')],
    },
    { title: 'parts.welcome', rows: [markdown('welcome_message_custom_text', longestWelcome, 6)] },
    { shows: WelcomeTest },
  ],
}
