import { createSignal, For, type JSX } from 'solid-js'
import { limits } from '../../../../shared/limits.js'
import { reportTypeKeys } from '../../../../shared/resources/report-types.js'
import { t } from '../../language/language.js'
import { useChat } from '../chat.js'
import { type About, useView } from '../view.js'
import { FormDialog } from './form-dialog.js'

/** Reports a message to the moderators. */
export function ReportMessage(props: About<'report'>): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [type, setType] = createSignal<string>(reportTypeKeys[0])
  const send = async (form: FormData) => {
    const description = String(form.get('description')).trim()
    await chat.ask('POST', `/messages/${props.about.report}/report`, { report_type: type(), description })
    view.open(undefined)
    chat.say(t('report.sent'))
  }
  return (
    <FormDialog title={t('report.title')} submit={t('report.submit')} work={send}>
      <p class="quiet">{t('report.meaning')}</p>
      <label class="field">
        {t('report.reason')}
        <select class="input" onChange={({ currentTarget }) => setType(currentTarget.value)}>
          <For each={reportTypeKeys}>{key => <option value={key}>{t(`report.type.${key}`)}</option>}</For>
        </select>
      </label>
      <label class="field">
        {t('report.description')}
        <textarea
          class="input"
          dir="auto"
          name="description"
          rows={4}
          maxLength={limits.report_description_length}
          required={type() === 'other'}
        />
      </label>
    </FormDialog>
  )
}
