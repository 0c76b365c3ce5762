import { deleteOrganizationIfDue } from '../actions/closing/delete-organization.js'
import { periodicKind } from './job-kind.js'

/** Deletes the data of a deactivated organization when the time has come that its owner chose. */
export const deleteOrganization = periodicKind('delete-organization', '7 * * * *', {
  seconds: 600,
  run: deleteOrganizationIfDue,
})
