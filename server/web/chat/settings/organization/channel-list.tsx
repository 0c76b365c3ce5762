import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { byText } from '../../../language/format.js'
import { t } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { SearchField } from '../../../look/search-field.js'
import { privacyOf } from '../../../state/channel-privacy.js'
import { openChannels } from '../../../state/channels.js'
import { bestMatches } from '../../../state/completion.js'
import { mayCreateChannels } from '../../../state/permissions.js'
import { ChannelSign } from '../../channel-sign.js'
import { useChat } from '../../chat.js'
import { useView } from '../../view.js'

const shownAtMost = 200

/** All channels that the user knows of; each opens its settings, permissions and members. */
export function ChannelList(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [words, setWords] = createSignal('')
  const found = createMemo(() =>
    bestMatches(openChannels(chat.state), channel => channel.name, words().trim(), Infinity).sort((a, b) =>
      byText(a.name, b.name),
    ),
  )
  return (
    <>
      <div class="row-tools">
        <SearchField label={st('frame.findChannel')} typed={setWords} />
        <Show when={mayCreateChannels(chat.state)}>
          <button type="button" class="button" onClick={() => view.open('create-channel')}>
            {st('frame.createChannel')}
          </button>
        </Show>
      </div>
      <ul class="choices" aria-label={st('sections.channels')}>
        <For each={found().slice(0, shownAtMost)} fallback={<li class="quiet">{t('jump.nothing')}</li>}>
          {channel => (
            <li class="choice">
              <button
                type="button"
                class="choice-main"
                aria-haspopup="dialog"
                onClick={() => view.open({ channel: channel.stream_id })}
              >
                <ChannelSign id={channel.stream_id} />
                <span class="choice-words">
                  <strong dir="auto">{channel.name}</strong>
                  <small dir="auto">
                    {[t(`channel.privacy.${privacyOf(channel)}`), channel.description].filter(Boolean).join(' · ')}
                  </small>
                </span>
              </button>
            </li>
          )}
        </For>
      </ul>
      <Show when={found().length > shownAtMost}>
        <p class="quiet">{t('channel.andMore', found().length - shownAtMost)}</p>
      </Show>
    </>
  )
}
