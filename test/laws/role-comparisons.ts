import { codeOnly } from './code-only.js'
import { lineOf, type Source } from './sources.js'

// A comparison of two roles finds a change; one with null finds that there is no owner.
const ofRole =
  /\brole\s*(?:[<>]=?|[!=]==?)(?!=|\s*(?:[\w.?]*\.role\b|undefined\b|null\b))|[<>=]\s*[\w.?]+\.role\b(?<![!=]==?\s*[\w.?]+\.role)/g
const ofOwner = /\bbot_owner_id\s*[!=]==?(?!=|\s*null\b)|[!=]==?\s*[\w.?]+\.bot_owner_id\b/g
const predicates =
  /import \{[^}]*\b(?:isOwner|isAdministrator|isModerator|isGuest)\b[^}]*\} from '[^']*policies\/roles\.js'/g

/** These show the role on the wire; they decide nothing. */
const presenters = new Set(['server/presenters/user-object.ts', 'server/api/users/realm-user-state.ts'])

/** One sentence for each place outside server/policies that decides by a role or by the owner of a bot. */
export function roleDecisions(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !path.startsWith('server/policies/') && !presenters.has(path))
    .flatMap(({ path, text }) => {
      const code = codeOnly(text)
      const compared = [ofRole, ofOwner].flatMap(pattern => [...code.matchAll(pattern)])
      return [...compared, ...text.matchAll(predicates)].map(
        ({ index }) =>
          `${path}:${lineOf(text, index)} decides by a role or an owner: use a predicate of server/policies`,
      )
    })
}
