import { createUniqueId, For, type JSX } from 'solid-js'
import { byText } from '../../language/format.js'
import { t } from '../../language/language.js'
import { st } from '../../language/settings-language.js'
import { openChannels } from '../../state/channels.js'
import { useChat } from '../chat.js'
import { useSaving } from '../dialogs/saving.js'
import { channelName } from '../names.js'
import type { Row } from './rows.js'
import { mayChange, presentValue, saveValue } from './setting-value.js'

const none = -1

/** A setting whose value is a channel, or none. */
export function ChannelChoice(props: { row: Row }): JSX.Element {
  const chat = useChat()
  const saving = useSaving()
  const id = createUniqueId()
  const now = () => Number(presentValue(chat, props.row))
  const options = () => {
    const open = openChannels(chat.state)
    const named = open.map(({ stream_id, name }) => [stream_id, `#${name}`] as const)
    const isUnknown = now() !== none && !named.some(([one]) => one === now())
    return [
      [none, t('words.none')] as const,
      ...named.sort(([, a], [, b]) => byText(a, b)),
      ...(isUnknown ? [[now(), channelName(chat.state, now())] as const] : []),
    ]
  }
  const change = async (element: HTMLSelectElement) => {
    if (!(await saveValue(saving, props.row, Number(element.value)))) element.value = String(now())
  }
  return (
    <div class="field">
      <label for={id}>{st(`rows.${props.row.name}`)}</label>
      <select
        class="input"
        id={id}
        disabled={!mayChange(chat, props.row)}
        onChange={event => void change(event.currentTarget)}
      >
        <For each={options()}>
          {([value, text]) => (
            <option value={value} selected={value === now()}>
              {text}
            </option>
          )}
        </For>
      </select>
    </div>
  )
}
