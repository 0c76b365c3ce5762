import { For, type JSX, Show } from 'solid-js'
import { RequestError } from '../../../../../shared/client/index.js'
import { refusalReasons } from '../../../../../shared/resources/invitation.js'
import { st } from '../../../language/settings-language.js'

/** The addresses that were not invited. */
export interface Refused {
  readonly addresses: readonly { readonly address: string; readonly reason: string }[]
  readonly areOthersInvited: boolean
}

/** What a request for invitations refuses; undefined: nothing. @throws other errors */
export async function refusedBy(request: Promise<unknown>): Promise<Refused | undefined> {
  try {
    await request
    return undefined
  } catch (error) {
    const { errors, sent_invitations } = error instanceof RequestError ? error.fields : {}
    if (!Array.isArray(errors) || errors.length === 0) throw error
    const addresses = errors.map(([address, reason]: [string, string]) => ({ address, reason }))
    return { addresses, areOthersInvited: sent_invitations === true }
  }
}

/** Each address with the reason; nothing without one. */
export function RefusedAddresses(props: { refused: Refused | undefined }): JSX.Element {
  return (
    <Show when={props.refused}>
      {refused => (
        <div class="notice bad" role="status">
          {refused().areOthersInvited ? st('invitations.othersSent') : st('invitations.theseNot')}
          <ul>
            <For each={refused().addresses}>
              {({ address, reason }) => (
                <li>
                  <strong dir="auto">{address}</strong>
                  {` · ${wordsOf(reason)}`}
                </li>
              )}
            </For>
          </ul>
        </div>
      )}
    </Show>
  )
}

/** The reason in the language of the page. */
function wordsOf(reason: string): string {
  const key = (Object.keys(refusalReasons) as (keyof typeof refusalReasons)[]).find(
    one => refusalReasons[one] === reason,
  )
  return key ? st(`invitations.reasons.${key}`) : reason
}
