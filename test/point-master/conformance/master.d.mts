export interface MasterOptions {
  readonly port?: number | undefined;
  readonly folder: string;
  readonly defect?: string | undefined;
  readonly serviceUrl: string;
  readonly keys: readonly string[];
  readonly secret: string;
  readonly onEnd?: () => void;
}

export interface RunningMaster {
  readonly port: number;
  readonly close: () => void;
}

export function startMaster(options: MasterOptions): Promise<RunningMaster>;
