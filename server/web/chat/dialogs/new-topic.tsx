import { For, type JSX } from 'solid-js'
import { t } from '../../language/language.js'
import { channelOf, channelsInOrder } from '../../state/channels.js'
import { channelIdOf } from '../../state/narrow.js'
import { useChat } from '../chat.js'
import { useView } from '../view.js'
import { FormDialog } from './form-dialog.js'

/** Selects a channel, at first the given or the open one, and the name of a new topic; the topic exists from its first message. */
export function NewTopic(props: { channelId?: number | undefined }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const open = () => props.channelId ?? channelIdOf(view.narrow())
  const begin = async (form: FormData) => {
    view.open(undefined)
    view.go({ kind: 'topic', channelId: Number(form.get('channel')), topic: String(form.get('topic')).trim() })
    queueMicrotask(view.focusComposer)
  }
  return (
    <FormDialog title={t('channels.newTopic')} submit={t('channels.writeFirst')} work={begin}>
      <label class="field">
        {t('channels.channel')}
        <select class="input" name="channel">
          <For each={channelsInOrder(chat.state)}>
            {id => (
              <option value={id} selected={id === open()}>
                {channelOf(chat.state, id)?.name}
              </option>
            )}
          </For>
        </select>
      </label>
      <label class="field">
        {t('channels.topic')}
        <input class="input" dir="auto" name="topic" required maxLength={60} autofocus />
      </label>
    </FormDialog>
  )
}
