import { MARK, requirePlainPaths, type ServiceDefinition } from './definition.ts';
import { escapeXml } from './escape-xml.ts';

/** The name of the task in the Windows Task Scheduler. */
export const TASK_NAME = 'Gamekeeper';

/**
 * Returns a task for the Windows Task Scheduler (schema 1.2) that starts Gamekeeper at boot and after a failure, as `user` and without a stored
 * password (S4U). A real Windows service would need a wrapper program.
 */
export function scheduledTask(definition: ServiceDefinition, user: string): string {
  requirePlainPaths(definition);
  const { node, entry, home } = definition;
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Gamekeeper, which runs game servers. ${escapeXml(MARK)}.</Description>
  </RegistrationInfo>
  <Triggers>
    <BootTrigger>
      <Enabled>true</Enabled>
    </BootTrigger>
  </Triggers>
  <Principals>
    <Principal id="Owner">
      <UserId>${escapeXml(user)}</UserId>
      <LogonType>S4U</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>5</Priority>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>255</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Owner">
    <Exec>
      <Command>${taskWord(node)}</Command>
      <Arguments>${[entry, '--home', home].map(taskWord).join(' ')}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/** CommandLineToArgvW: backslashes matter only before a quote, which Windows paths cannot contain. So only those at the end are doubled. */
export function taskWord(word: string): string {
  return escapeXml(`"${word.replace(/\\+$/, '$&$&')}"`);
}
