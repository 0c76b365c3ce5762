import { type JSX, Show } from 'solid-js'
import { st } from '../../../language/settings-language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { SureButton } from '../../../look/sure-button.js'
import { accountChange } from '../../../state/organization-people.js'
import { useChat } from '../../chat.js'

/** The end of the own account. The session ends with it, and the page leaves for the sign-in. */
export function Leaving(): JSX.Element {
  const chat = useChat()
  const { error, isBusy, attempt } = createAttempts()
  const leave = () => !isBusy() && void attempt(() => chat.ask('DELETE', '/users/me'))
  return (
    <section class="account-part">
      <h3 class="part-title">{st('rows.deactivation')}</h3>
      <Show
        when={!accountChange(chat.state, chat.state.user_id).isOnlyOwner}
        fallback={<p class="quiet">{st('people.obstacle.onlyOwner')}</p>}
      >
        <p class="quiet">{st('ownAccount.leavingMeaning')}</p>
        <p>
          <SureButton title={st('ownAccount.leave')} sureTitle={st('people.reallyDeactivate')} work={leave} />
        </p>
        <ErrorNotice text={error()} />
      </Show>
    </section>
  )
}
