package io.moonpool.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion script, as bash itself uses it. */
class CompletionCommandTest {
  @TempDir Path folder;
  private Path script;

  @BeforeEach
  void print() throws IOException {
    StringWriter out = new StringWriter();
    int code =
        MoonpoolCommand.commandLine().setOut(new PrintWriter(out)).execute("completion", "bash");
    assertThat(code).isZero();
    script = Files.writeString(folder.resolve("moonpool"), out.toString());
  }

  /** What bash offers for the last word of a line. */
  private List<String> offered(String line) throws IOException, InterruptedException {
    String program =
        """
        source "$1"
        compopt() { :; } # works only while bash itself completes
        read -ra COMP_WORDS <<< "$2"
        case $2 in *' ') COMP_WORDS+=('') ;; esac
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$2 COMP_POINT=${#2}
        completes=$(complete -p moonpool | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        "$completes" moonpool "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
        """;
    Process bash =
        new ProcessBuilder(
                "bash", "--noprofile", "--norc", "-c", program, "bash", script.toString(), line)
            .redirectErrorStream(true)
            .start();
    bash.getOutputStream().close();
    String answer = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(answer).isZero();
    return answer.lines().map(String::strip).toList();
  }

  @Test
  void bashCompletesCommands() throws Exception {
    assertThat(offered("moonpool ")).contains("master", "node", "client", "doctor", "completion");
    assertThat(offered("moonpool client dra")).containsExactly("drain", "drains", "drain-status");
    assertThat(offered("moonpool client disk ")).contains("ls", "stat", "gc");
  }

  @Test
  void bashCompletesOptionsAndTheirValues() throws Exception {
    assertThat(offered("moonpool client drain --wa")).containsExactly("--wait", "--wait-timeout");
    assertThat(offered("moonpool node --segm")).containsExactly("--segment-bytes");
    assertThat(offered("moonpool completion ").stream().map(String::toLowerCase)).contains("bash");
    assertThat(offered("moonpool doctor --output ").stream().map(String::toLowerCase))
        .containsExactlyInAnyOrder("table", "json");
  }
}
