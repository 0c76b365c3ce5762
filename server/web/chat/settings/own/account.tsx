import { createResource, For, type JSX, Show } from 'solid-js'
import { t } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import type { ChatState } from '../../../state/chat-state.js'
import { isAdministrator } from '../../../state/permissions.js'
import { type Chat, useChat } from '../../chat.js'
import { dateText } from '../../moment-text.js'
import { Entry } from '../entry.js'
import { PersonExports } from '../person-exports.js'
import { AddressChange } from './address-change.js'
import { ApiKey } from './api-key.js'
import { Leaving } from './leaving.js'
import { PasswordChange } from './password-change.js'
import { SecondFactors } from './second-factors.js'

const mayChangeAddress = (state: ChatState): boolean => isAdministrator(state) || !state.realm_email_changes_disabled

/** How the user signs in, and the end of the account. */
export function Account(): JSX.Element {
  const chat = useChat()
  return (
    <>
      <Show when={chat.state.realm_email_auth_enabled}>
        <PasswordChange />
      </Show>
      <Show when={mayChangeAddress(chat.state)}>
        <AddressChange />
      </Show>
      <SecondFactors />
      <ApiKey />
      <Sessions />
      <section class="account-part">
        <h3 class="part-title">{st('exports.yourData')}</h3>
        <Entry>
          <PersonExports userId={chat.state.user_id} />
        </Entry>
      </section>
      <Leaving />
    </>
  )
}

/** A session as `GET /users/me/sessions` lists it; times in UNIX seconds. */
interface ListedSession {
  readonly id: number
  readonly device: string
  readonly address: string
  readonly last_used: number
  readonly is_current: boolean
}

/** The browsers in which the account is signed in. */
function Sessions(): JSX.Element {
  const chat = useChat()
  const { error, isBusy, attempt } = createAttempts()
  const read = async () => (await chat.ask('GET', '/users/me/sessions')).sessions as ListedSession[]
  const [sessions, { refetch }] = createResource(() => read().catch(() => []))
  const end = (path: string) =>
    attempt(async () => {
      await chat.ask('DELETE', path)
      await refetch()
    })
  return (
    <section class="account-part">
      <h3 class="part-title">{t('account.sessions')}</h3>
      <p class="quiet">{t('account.sessionsMeaning')}</p>
      <ul class="account-sessions">
        <For each={sessions()}>
          {session => (
            <li>
              <span>{session.device || t('account.unknownDevice')}</span>
              <span class="quiet">{session.is_current ? t('account.thisSession') : placeOf(chat, session)}</span>
              <Show when={!session.is_current}>
                <button
                  type="button"
                  class="button"
                  disabled={isBusy()}
                  onClick={() => void end(`/users/me/sessions/${session.id}`)}
                >
                  {t('account.endSession')}
                </button>
              </Show>
            </li>
          )}
        </For>
      </ul>
      <Show when={sessions()?.some(({ is_current }) => !is_current)}>
        <p>
          <button type="button" class="button" disabled={isBusy()} onClick={() => void end('/users/me/sessions')}>
            {t('account.signOutElsewhere')}
          </button>
        </p>
      </Show>
      <ErrorNotice text={error()} />
    </section>
  )
}

const placeOf = ({ state }: Chat, { address, last_used }: ListedSession): string =>
  t('account.usedAt', address, dateText(state, last_used * 1000))
