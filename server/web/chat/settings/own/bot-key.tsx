import { createSignal, For, type JSX } from 'solid-js'
import { t } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { useChat } from '../../chat.js'
import { copyText } from '../../copy-text.js'

interface Sender {
  readonly url: string
  readonly email: string
  readonly apiKey: string
  readonly to: number
  readonly content: string
}

/** A first message to the user, by what programs are written in. Words of the user do not occur in them, so nothing has to be quoted. */
const samples: readonly (readonly [title: () => string, text: (sender: Sender) => string])[] = [
  [
    () => 'curl',
    ({ url, email, apiKey, to, content }) => `curl ${url}/api/v1/messages \\
  -u '${email}:${apiKey}' \\
  -d type=direct -d 'to=[${to}]' -d content=${content}`,
  ],
  [
    () => 'Python',
    ({ url, email, apiKey, to, content }) => `import requests

requests.post(
    "${url}/api/v1/messages",
    auth=("${email}", "${apiKey}"),
    data={"type": "direct", "to": "[${to}]", "content": "${content}"},
).raise_for_status()`,
  ],
  [
    () => 'JavaScript',
    ({ url, email, apiKey, to, content }) => `await fetch('${url}/api/v1/messages', {
  method: 'POST',
  headers: { Authorization: 'Basic ' + btoa('${email}:${apiKey}') },
  body: new URLSearchParams({ type: 'direct', to: '[${to}]', content: '${content}' }),
})`,
  ],
  [() => st('bots.service'), ({ url, apiKey }) => `${url}/api/v1/external/slack_incoming?api_key=${apiKey}`],
]

/** The key of a bot, which is shown after it was made, and how the bot sends its first message. */
export function BotKey(props: { id: number; email: string; apiKey: string }): JSX.Element {
  const chat = useChat()
  const [result, setResult] = createSignal('')
  const copy = async (text: string) => {
    setResult((await copyText(text)) ? t('account.copied') : t('notice.noClipboard'))
  }
  const sender = (): Sender => ({
    url: location.origin,
    email: props.email,
    apiKey: props.apiKey,
    to: chat.state.user_id,
    content: st('bots.hello'),
  })
  return (
    <section class="entry-form" aria-label={st('bots.key')}>
      <p>
        {st('bots.keyOf')} <span class="quiet">{`${props.email}, ${st('bots.id')} ${props.id}`}</span>
      </p>
      <div class="account-key">
        <input
          class="input"
          readOnly
          autocomplete="off"
          spellcheck={false}
          aria-label={st('bots.key')}
          value={props.apiKey}
          onFocus={event => event.currentTarget.select()}
        />
        <button type="button" class="button" onClick={() => void copy(props.apiKey)}>
          {t('account.copy')}
        </button>
      </div>
      <p class="quiet">{st('bots.once')}</p>
      <For each={samples}>
        {([title, text]) => (
          <details>
            <summary>{title()}</summary>
            <pre class="bot-sample">{text(sender())}</pre>
            <button
              type="button"
              class="button"
              aria-label={`${t('account.copy')}: ${title()}`}
              onClick={() => void copy(text(sender()))}
            >
              {t('account.copy')}
            </button>
          </details>
        )}
      </For>
      <p class="quiet" role="status">
        {result()}
      </p>
    </section>
  )
}
