import { createSignal, type JSX, onMount, Show } from 'solid-js'
import { st } from '../../../language/settings-language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { SureButton } from '../../../look/sure-button.js'
import { useChat } from '../../chat.js'
import { CopiedText } from '../copied-text.js'

/** The address to which mails become messages in the channel; nothing, where the server receives no mail or the user may not post. */
export function ChannelMail(props: { channelId: number }): JSX.Element {
  const chat = useChat()
  const { error, attempt } = createAttempts()
  const [email, setEmail] = createSignal('')
  const ask = async (method: 'GET' | 'POST') =>
    setEmail((await chat.ask(method, `/streams/${props.channelId}/email_address`)).email as string)
  // A refusal means that the user may not post there.
  onMount(() => ask('GET').catch(() => undefined))
  return (
    <Show when={email()}>
      {address => (
        <section class="account-part">
          <h3>{st('channelMail.title')}</h3>
          <p class="quiet">{st('channelMail.meaning')}</p>
          <CopiedText label={st('channelMail.title')} text={address()}>
            <SureButton
              title={st('channelMail.renew')}
              sureTitle={st('channelMail.reallyRenew')}
              work={() => attempt(() => ask('POST'))}
            />
          </CopiedText>
          <ErrorNotice text={error()} />
        </section>
      )}
    </Show>
  )
}
