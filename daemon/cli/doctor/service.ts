import { userInfo } from 'node:os';
import path from 'node:path';
import { runCommand } from '../service/run-command.ts';
import { isForeign, readService } from '../service/service-file.ts';
import { servicePlan } from '../service/service-plan.ts';
import { isLingering } from '../service/systemd-presence.ts';
import { unitUser } from '../service/systemd-unit.ts';
import { type Check, ok, warning } from './finding.ts';

/** The daemon of this installation. This is `dist/daemon/cli/main.js`. */
const DAEMON = path.resolve(import.meta.dirname, '..', 'main.js');

/** Checks the installed service, if there is one. */
export const checkService: Check = async ({ home, env }) => {
  const check = 'Service';
  const { username: name, uid, homedir: folder } = userInfo();
  const account = { platform: process.platform, name, uid, folder, env };
  const plans = [servicePlan(account), ...(process.platform === 'linux' ? [servicePlan(account, name)] : [])];
  for (const plan of plans) {
    const content = await readService(plan);
    if (content === undefined || isForeign(content) || !content.includes(plan.word(home.root))) continue;
    const isOwn = plan === plans[0];
    const install = isOwn
      ? 'npx gamekeeper service install'
      : `sudo npx gamekeeper service install --system --user ${unitUser(content)} --home '${home.root}'`;
    if (!content.includes(plan.word(DAEMON)))
      return [warning(check, `${plan.file} runs another installation of Gamekeeper.`, `To use this one: ${install}`)];
    if (!(await runCommand(plan.isActive)).ok) return [warning(check, 'It is installed, but not running.', install)];
    if (isOwn && plan.manager === 'systemd' && (await isLingering()) === false)
      return [warning(check, 'It ends with its servers when you log out.', 'loginctl enable-linger')];
    return [ok(check, `${plan.file}, running`)];
  }
  return [ok(check, 'not installed; to start Gamekeeper automatically: npx gamekeeper service install')];
};
