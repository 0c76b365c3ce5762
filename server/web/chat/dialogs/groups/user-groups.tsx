import { type JSX, Show } from 'solid-js'
import type { About } from '../../view.js'
import { createSaving, SavingContext } from '../saving.js'
import { CreateGroup } from './create-group.js'
import { GroupDialog } from './group-dialog.js'
import { GroupList } from './group-list.js'

/** The groups of the organization: the list, the form of a new one, or one of them. */
export function UserGroups(props: About<'group'>): JSX.Element {
  return (
    <Show when={props.about.group} keyed>
      {open => {
        const saving = createSaving()
        return (
          <SavingContext.Provider value={saving}>
            {open === 'all' ? <GroupList /> : open === 'new' ? <CreateGroup /> : <GroupDialog groupId={open} />}
          </SavingContext.Provider>
        )
      }}
    </Show>
  )
}
