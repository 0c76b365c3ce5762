import { For, type JSX, Show } from 'solid-js'
import { locale } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { useChat } from '../../chat.js'
import { createPasskey } from './create-passkey.js'

/** A passkey as `GET /users/me/factors` lists it; times in UNIX seconds. */
export interface ListedPasskey {
  readonly id: number
  readonly name: string
  readonly created: number
}

interface PasskeysProps {
  readonly passkeys: readonly ListedPasskey[]
  /** Whether browsers have passkeys for the address of this server. */
  readonly isPossible: boolean
  readonly isBusy: boolean
  /** Runs a change with a proof of the password. */
  readonly change: (work: (proof: string) => Promise<unknown>) => void
  /** Runs a change that needs no proof. */
  readonly changeWithoutProof: (work: () => Promise<unknown>) => void
  readonly onCodes: (codes: unknown) => void
}

const place = '/users/me/factors/passkeys'

/** The passkeys of the account: each can be renamed and removed, and one can be added. */
export function Passkeys(props: PasskeysProps): JSX.Element {
  const chat = useChat()
  const add = () =>
    props.change(async proof => {
      const { options } = await chat.ask('POST', `${place}/setup`, { proof })
      const credential = await createPasskey(options)
      const { recovery_codes } = await chat.ask('POST', place, { name: st('factors.passkey'), credential })
      props.onCodes(recovery_codes)
    })
  const rename = ({ id }: ListedPasskey, name: string) =>
    props.changeWithoutProof(() => chat.ask('PATCH', `${place}/${id}`, { name }))
  return (
    <>
      <ul class="account-sessions">
        <For each={props.passkeys}>
          {passkey => (
            <li>
              <input
                class="input"
                value={passkey.name}
                maxLength={60}
                aria-label={st('factors.passkeyName')}
                onChange={event => rename(passkey, event.currentTarget.value)}
              />
              <span class="quiet">{new Date(passkey.created * 1000).toLocaleDateString(locale())}</span>
              <button
                type="button"
                class="button"
                disabled={props.isBusy}
                onClick={() => props.change(proof => chat.ask('DELETE', `${place}/${passkey.id}`, { proof }))}
              >
                {st('factors.remove')}
              </button>
            </li>
          )}
        </For>
      </ul>
      <div class="account-done">
        <Show when={props.isPossible} fallback={<span class="quiet">{st('factors.noPasskeys')}</span>}>
          <button type="button" class="button" disabled={props.isBusy} onClick={add}>
            {st('factors.addPasskey')}
          </button>
        </Show>
      </div>
    </>
  )
}
