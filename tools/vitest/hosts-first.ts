import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Starts with the suite of all hosts, which takes the longest. Other files run beside it. */
export class HostsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer
    const sorted = await super.sort(files);
    const isHost = ({ project }: TestSpecification) => project.name === "published";
    return [...sorted.filter(isHost), ...sorted.filter((file) => !isHost(file))];
  }
}
